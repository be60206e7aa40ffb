package org.metaq.payaramicro;

import org.metaq.wildfly.SelfCheckCases;

/** On Payara Micro. */
class PayaraMicroSelfCheckIT extends SelfCheckCases {}
