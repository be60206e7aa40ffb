package org.metaq.payaramicro;

import org.metaq.wildfly.OrdersCases;

/** On Payara Micro. */
class PayaraMicroOrdersIT extends OrdersCases {}
