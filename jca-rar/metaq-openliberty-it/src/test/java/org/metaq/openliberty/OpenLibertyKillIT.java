package org.metaq.openliberty;

import org.metaq.wildfly.KillCases;

/** On Open Liberty. */
class OpenLibertyKillIT extends KillCases {}
