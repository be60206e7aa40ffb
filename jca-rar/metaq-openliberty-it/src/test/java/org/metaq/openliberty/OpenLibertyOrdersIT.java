package org.metaq.openliberty;

import org.metaq.wildfly.OrdersCases;

/** On Open Liberty. */
class OpenLibertyOrdersIT extends OrdersCases {}
