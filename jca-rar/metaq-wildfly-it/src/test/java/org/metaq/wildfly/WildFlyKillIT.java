package org.metaq.wildfly;

/** On WildFly. */
class WildFlyKillIT extends KillCases {}
