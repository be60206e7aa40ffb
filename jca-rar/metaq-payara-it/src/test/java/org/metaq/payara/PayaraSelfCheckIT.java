package org.metaq.payara;

import org.metaq.wildfly.SelfCheckCases;

/** On Payara. */
class PayaraSelfCheckIT extends SelfCheckCases {}
