package org.metaq.payaramicro;

import org.metaq.wildfly.KillCases;

/** On Payara Micro. */
class PayaraMicroKillIT extends KillCases {}
