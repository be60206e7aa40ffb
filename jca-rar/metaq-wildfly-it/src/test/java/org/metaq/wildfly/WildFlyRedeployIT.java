package org.metaq.wildfly;

/** On WildFly. */
class WildFlyRedeployIT extends RedeployCases {}
