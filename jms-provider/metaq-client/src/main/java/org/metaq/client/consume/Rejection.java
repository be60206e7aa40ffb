package org.metaq.client.consume;

/**
 * A message that a group could not take.
 *
 * @param group name
 * @param message what could not be taken
 * @param deliveryCount how often it was delivered, 1 or more
 * @param cause what the listener threw last
 */
public record Rejection(
        String group, ReceivedMessage message, int deliveryCount, Throwable cause) {}
