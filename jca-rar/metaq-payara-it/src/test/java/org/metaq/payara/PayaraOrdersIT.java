package org.metaq.payara;

import org.metaq.wildfly.OrdersCases;

/** On Payara. */
class PayaraOrdersIT extends OrdersCases {}
