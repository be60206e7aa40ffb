package org.metaq.ra.inbound;

import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.InvalidPropertyException;
import jakarta.resource.spi.ResourceAdapter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a message endpoint listens to, and how: the activation configuration of a message-driven
 * bean. {@link ActivationProperty} lists the properties with their ranges. Empty text is taken as
 * not given. Not thread-safe: servers set the properties before the activation begins.
 */
public final class MetaQActivationSpec extends EndpointTuning implements ActivationSpec {
    private static final long serialVersionUID = 1;

    private transient @Nullable ResourceAdapter resourceAdapter;

    private @Nullable String destination;
    private @Nullable String destinationType;
    private @Nullable String destinationLookup;
    private @Nullable String connectionFactoryLookup;
    private @Nullable String messageSelector;
    private String acknowledgeMode = "Auto-acknowledge";
    private String subscriptionDurability = "NonDurable";
    private @Nullable String subscriptionName;
    private @Nullable String clientId;
    private boolean shareSubscriptions;
    private @Nullable String startFrom;
    private @Nullable String connectionUri;
    private @Nullable String user;
    private @Nullable String password;

    static @Nullable String orNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static String orElse(@Nullable String text, String otherwise) {
        return text == null || text.isEmpty() ? otherwise : text;
    }

    /**
     * Checks all properties.
     *
     * @throws InvalidPropertyException if some are wrong; names all of them with their values and
     *     what they take
     */
    @Override
    public void validate() throws InvalidPropertyException {
        ActivationCheck.check(this);
    }

    @Override
    public @Nullable ResourceAdapter getResourceAdapter() {
        return resourceAdapter;
    }

    /** Jakarta Connectors 2.1 §5.3.3: once. */
    @Override
    public void setResourceAdapter(ResourceAdapter adapter)
            throws jakarta.resource.spi.IllegalStateException {
        if (resourceAdapter != null && resourceAdapter != adapter) {
            throw new jakarta.resource.spi.IllegalStateException(
                    "the activation already belongs to another resource adapter");
        }
        resourceAdapter = adapter;
    }

    /** Name of the destination at the broker; null if {@link #getDestinationLookup} names it. */
    public @Nullable String getDestination() {
        return destination;
    }

    /** See {@link #getDestination}. */
    public void setDestination(@Nullable String name) {
        destination = orNull(name);
    }

    /** {@code jakarta.jms.Queue} or {@code jakarta.jms.Topic}; null: as the object looked up is. */
    public @Nullable String getDestinationType() {
        return destinationType;
    }

    /** See {@link #getDestinationType}. */
    public void setDestinationType(@Nullable String type) {
        destinationType = orNull(type);
    }

    /** JNDI name of the destination; goes before {@link #getDestination}. */
    public @Nullable String getDestinationLookup() {
        return destinationLookup;
    }

    /** See {@link #getDestinationLookup}. */
    public void setDestinationLookup(@Nullable String name) {
        destinationLookup = orNull(name);
    }

    /** JNDI name of the connection factory whose broker, user and client id are used. */
    public @Nullable String getConnectionFactoryLookup() {
        return connectionFactoryLookup;
    }

    /** See {@link #getConnectionFactoryLookup}. */
    public void setConnectionFactoryLookup(@Nullable String name) {
        connectionFactoryLookup = orNull(name);
    }

    /** Which messages the endpoint gets; null: all. */
    public @Nullable String getMessageSelector() {
        return messageSelector;
    }

    /** See {@link #getMessageSelector}. */
    public void setMessageSelector(@Nullable String selector) {
        messageSelector = orNull(selector);
    }

    /** {@code Auto-acknowledge} or {@code Dups-ok-acknowledge}; without effect in transactions. */
    public String getAcknowledgeMode() {
        return acknowledgeMode;
    }

    /** See {@link #getAcknowledgeMode}. */
    public void setAcknowledgeMode(@Nullable String mode) {
        acknowledgeMode = orElse(mode, "Auto-acknowledge");
    }

    /** {@code Durable} or {@code NonDurable}; without effect for queues. */
    public String getSubscriptionDurability() {
        return subscriptionDurability;
    }

    /** See {@link #getSubscriptionDurability}. */
    public void setSubscriptionDurability(@Nullable String durability) {
        subscriptionDurability = orElse(durability, "NonDurable");
    }

    /** Name of the durable or shared subscription. */
    public @Nullable String getSubscriptionName() {
        return subscriptionName;
    }

    /** See {@link #getSubscriptionName}. */
    public void setSubscriptionName(@Nullable String name) {
        subscriptionName = orNull(name);
    }

    /** Client id of the endpoint's connection; null: the connection factory's, or none. */
    public @Nullable String getClientId() {
        return clientId;
    }

    /** See {@link #getClientId}. */
    public void setClientId(@Nullable String id) {
        clientId = orNull(id);
    }

    /** Whether endpoints of other servers share a non-durable subscription; default false. */
    public Boolean getShareSubscriptions() {
        return shareSubscriptions;
    }

    /** See {@link #getShareSubscriptions}. */
    public void setShareSubscriptions(Boolean share) {
        shareSubscriptions = share;
    }

    /** Where a new subscription starts to read; null: at the end of the topic. */
    public @Nullable String getStartFrom() {
        return startFrom;
    }

    /** See {@link #getStartFrom}. */
    public void setStartFrom(@Nullable String position) {
        startFrom = orNull(position);
    }

    /** The broker; null: the connection factory's, or the resource adapter's. */
    public @Nullable String getConnectionUri() {
        return connectionUri;
    }

    /** See {@link #getConnectionUri}. */
    public void setConnectionUri(@Nullable String uri) {
        connectionUri = orNull(uri);
    }

    /** Who connects; null: the connection factory's user, or the resource adapter's. */
    public @Nullable String getUser() {
        return user;
    }

    /** See {@link #getUser}. */
    public void setUser(@Nullable String name) {
        user = orNull(name);
    }

    /** Another name of {@link #setUser}. */
    public void setUserName(@Nullable String name) {
        setUser(name);
    }

    /** Password of the user. */
    public @Nullable String getPassword() {
        return password;
    }

    /** See {@link #getPassword}. */
    public void setPassword(@Nullable String secret) {
        password = orNull(secret);
    }

    // ---- what the words mean

    /** True for a queue, false for a topic; to be asked once the type is given and valid. */
    boolean isQueueType() {
        return destinationType != null && simpleName(destinationType).equals("queue");
    }

    static String simpleName(String type) {
        return type.replaceFirst("^(jakarta|javax)\\.jms\\.", "").toLowerCase(Locale.ROOT);
    }

    boolean isDurable() {
        return subscriptionDurability.equalsIgnoreCase("Durable");
    }

    boolean isDupsOk() {
        return acknowledgeMode.replace('_', '-').equalsIgnoreCase("Dups-ok-acknowledge");
    }

    /** Equal if all properties are. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MetaQActivationSpec that
                && ActivationProperty.valuesOf(this).equals(ActivationProperty.valuesOf(that));
    }

    @Override
    public int hashCode() {
        return ActivationProperty.valuesOf(this).hashCode();
    }

    /** The properties that are given, without the password. */
    @Override
    public String toString() {
        return "MetaQActivationSpec" + ActivationProperty.shown(this);
    }
}
