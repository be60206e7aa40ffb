package org.metaq.conformance;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The clauses of Jakarta Messaging 3.1 that a test proves, by {@link Clause#number()}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Spec {
    /** For example {@code 6.2.10}; each is in the table of clauses. */
    String[] value();
}
