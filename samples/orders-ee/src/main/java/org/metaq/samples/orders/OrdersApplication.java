package org.metaq.samples.orders;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Where the REST resources are: at the context root. */
@ApplicationPath("/")
public class OrdersApplication extends Application {}
