package org.metaq.payara;

import org.metaq.wildfly.RedeployCases;

/** On Payara. */
class PayaraRedeployIT extends RedeployCases {}
