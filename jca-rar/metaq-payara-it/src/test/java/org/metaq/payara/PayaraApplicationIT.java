package org.metaq.payara;

import org.metaq.wildfly.ApplicationCases;

/** On Payara. */
class PayaraApplicationIT extends ApplicationCases {}
