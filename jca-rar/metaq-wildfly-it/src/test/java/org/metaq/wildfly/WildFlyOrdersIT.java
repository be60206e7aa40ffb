package org.metaq.wildfly;

/** On WildFly. */
class WildFlyOrdersIT extends OrdersCases {}
