package org.metaq.wildfly;

import org.metaq.container.DatabaseProcess;
import org.metaq.container.ServerType;

/**
 * What the test application has beyond the script that users have: the server's default connection
 * factory, the definition annotations, an administered object, a database in a process of its own.
 */
final class Extras {
    private static final String BROKER = "BROKER_PORT";
    private static final String DATABASE = "DATABASE_URL";

    /**
     * The definition annotations have adapters of their own here, which must be told the broker.
     */
    private static final String WILDFLY =
            """
            /extension=org.wildfly.extension.messaging-activemq:add
            /subsystem=messaging-activemq:add
            /subsystem=ee/service=default-bindings:write-attribute(name=jms-connection-factory,value=java:/jms/metaq)
            /subsystem=transactions:write-attribute(name=default-timeout,value=10)
            /subsystem=ee:write-attribute(name=annotation-property-replacement,value=true)
            /system-property=metaq.port:add(value=BROKER_PORT)
            /subsystem=resource-adapters/resource-adapter=metaq/admin-objects=lookup:add(class-name=org.metaq.ra.outbound.RaQueue,jndi-name="java:/jms/lookup")
            /subsystem=resource-adapters/resource-adapter=metaq/admin-objects=lookup/config-properties=name:add(value=test.lookup)
            xa-data-source add --name=remote --jndi-name=java:/jdbc/remote --driver-name=h2 --user-name=sa --password=sa --recovery-username=sa --recovery-password=sa --check-valid-connection-sql="select 1" --validate-on-match=true --background-validation=false --xa-datasource-properties={URL="DATABASE_URL"}
            """;

    private static final String PAYARA =
            """
            create-system-properties metaq.port=BROKER_PORT
            set resources.connector-resource.jms/__defaultConnectionFactory.pool-name=metaqPool
            create-admin-object --restype jakarta.jms.Queue --raname metaq --property name=test.lookup jms/lookup
            create-jdbc-connection-pool --datasourceclassname org.h2.jdbcx.JdbcDataSource --restype javax.sql.XADataSource --steadypoolsize 0 --isconnectvalidatereq=true --validationmethod table --validationtable INFORMATION_SCHEMA.USERS --property url=DATABASE_URL:user=sa:password=sa remotePool
            create-jdbc-resource --connectionpoolid remotePool jdbc/remote
            """;

    /** Without the default connection factory, which this server does not have. */
    private static final String PAYARA_MICRO =
            PAYARA.replaceFirst("set resources.connector-resource.*\n", "");

    /** What a bean listens to must be there by its name as id. */
    private static final String OPEN_LIBERTY =
            """
            <featureManager><feature>servlet-6.0</feature></featureManager>
            <variable name="metaq.port" value="BROKER_PORT"/>
            <jmsConnectionFactory id="DefaultJMSConnectionFactory"><properties.metaq/></jmsConnectionFactory>
            <jmsQueue id="lookup" jndiName="jms/lookup"><properties.metaq name="test.lookup"/></jmsQueue>
            <jmsQueue id="test.in"><properties.metaq name="test.in"/></jmsQueue>
            <jmsQueue id="test.none"><properties.metaq name="test.none"/></jmsQueue>
            <jmsQueue id="test.bean"><properties.metaq name="test.bean"/></jmsQueue>
            <jmsQueue id="test.remote"><properties.metaq name="test.remote"/></jmsQueue>
            <jmsQueue id="test.time-out"><properties.metaq name="test.time-out"/></jmsQueue>
            <jmsTopic id="test.topic"><properties.metaq name="test.topic"/></jmsTopic>
            <jmsTopic id="test.shared"><properties.metaq name="test.shared"/></jmsTopic>
            <transaction totalTranLifetimeTimeout="10s"/>
            <dataSource jndiName="jdbc/remote" type="javax.sql.XADataSource" validationTimeout="5s">
              <jdbcDriver libraryRef="h2" javax.sql.XADataSource="org.h2.jdbcx.JdbcDataSource"/>
              <properties URL="DATABASE_URL" user="sa" password="sa"/>
              <connectionManager minPoolSize="0"/>
            </dataSource>
            """;

    private Extras() {}

    /** Lines of a server's script. */
    static String of(ServerType type, int brokerPort, int databasePort) {
        String lines =
                switch (type) {
                    case WILDFLY -> WILDFLY;
                    case PAYARA -> PAYARA;
                    case PAYARA_MICRO -> PAYARA_MICRO;
                    case OPEN_LIBERTY -> OPEN_LIBERTY;
                };
        return lines.replace(DATABASE, type.quoted(DatabaseProcess.url(databasePort)))
                .replace(BROKER, Integer.toString(brokerPort));
    }
}
