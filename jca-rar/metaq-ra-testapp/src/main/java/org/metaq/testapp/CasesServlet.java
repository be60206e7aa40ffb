package org.metaq.testapp;

import jakarta.ejb.EJB;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;

/** Runs a case by name; a failure is status 500 with its stack trace. */
@WebServlet("/run")
public class CasesServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @EJB private transient Sender sender;
    @EJB private transient Rows rows;
    @EJB private transient RemoteRows remoteRows;
    @EJB private transient Injected injected;
    @EJB private transient InjectedByName injectedByName;
    @EJB private transient Defined defined;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/plain");
        PrintWriter out = response.getWriter();
        try {
            out.print(run(request));
        } catch (RuntimeException e) {
            response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            e.printStackTrace(out);
        }
    }

    private String run(HttpServletRequest request) {
        String queue = parameter(request, "queue");
        String text = parameter(request, "text");
        String name = parameter(request, "case");
        switch (name) {
            case "rows" -> {
                return rows.list(text);
            }
            case "remote-rows" -> {
                return remoteRows.list();
            }
            case "endpoint" -> {
                return new Endpoint(parameter(request, "bean")).get(text);
            }
            case "endpoint-run" -> new Endpoint(parameter(request, "bean")).run(text);
            case "create-remote-rows" -> remoteRows.create();
            case "send" -> sender.send(queue, text);
            case "roll-back" -> sender.sendAndRollBack(queue, text);
            case "throw" -> sender.sendAndThrow(queue, text);
            case "stall" ->
                    sender.sendAndStall(
                            queue,
                            text,
                            new Stall(parameter(request, "step"), parameter(request, "file")));
            case "open-send-close" ->
                    sender.openSendClose(
                            queue, text, Integer.parseInt(parameter(request, "count")));
            case "default-factory" -> injected.sendByDefaultFactory(queue, text);
            case "injected" -> injected.sendByInjected(queue, text);
            case "injected-throw" -> injected.sendByInjectedAndThrow(queue, text);
            case "named" -> injectedByName.send(queue, text);
            case "named-throw" -> injectedByName.sendAndThrow(queue, text);
            case "defined" -> defined.send(text);
            case "defined-throw" -> defined.sendAndThrow(text);
            default -> throw new IllegalArgumentException("no case " + name);
        }
        return "done\n";
    }

    private static String parameter(HttpServletRequest request, String name) {
        String value = request.getParameter(name);
        return value == null ? "" : value;
    }
}
