package org.metaq.wildfly;

/** On WildFly. */
class WildFlyApplicationIT extends ApplicationCases {}
