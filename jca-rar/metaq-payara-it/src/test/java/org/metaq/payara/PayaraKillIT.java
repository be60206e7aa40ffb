package org.metaq.payara;

import org.metaq.wildfly.KillCases;

/** On Payara. */
class PayaraKillIT extends KillCases {}
