package org.metaq.testapp;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.EJBException;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;

/** A transaction of its own, in which the message is not. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "test.bean"),
            @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "2"),
            @ActivationConfigProperty(propertyName = "redeliveryDelay", propertyValue = "100")
        })
@TransactionManagement(TransactionManagementType.BEAN)
public class BeanManagedBean implements MessageListener {
    @Resource private UserTransaction transaction;
    @EJB private Handling handling;

    @Override
    public void onMessage(Message message) {
        try {
            transaction.begin();
            try {
                handling.handle("bean", message);
                transaction.commit();
            } catch (EJBException e) {
                transaction.rollback();
                throw e;
            }
        } catch (NotSupportedException
                | SystemException
                | RollbackException
                | HeuristicMixedException
                | HeuristicRollbackException e) {
            throw new EJBException(e);
        }
    }
}
