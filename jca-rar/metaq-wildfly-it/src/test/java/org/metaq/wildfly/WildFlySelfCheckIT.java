package org.metaq.wildfly;

/** On WildFly. */
class WildFlySelfCheckIT extends SelfCheckCases {}
