package org.metaq.jms.it;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The rule that a test proves: a clause of Jakarta Messaging 3.1, of its API, or of X/Open XA. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Spec {
    /** For example {@code JMS 3.1 §6.2.10}. */
    String value();
}
