package org.metaq.ra;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What ra.xml says. */
final class RaXml {
    private static final Path FILE =
            Path.of("..", "metaq-ra", "src", "main", "rar", "META-INF", "ra.xml");

    private static final List<String> BEAN_CLASSES =
            List.of(
                    "resourceadapter-class",
                    "managedconnectionfactory-class",
                    "activationspec-class",
                    "adminobject-class");

    private final Document document;

    /**
     * A property of a bean.
     *
     * @param defaultValue empty: none
     */
    record Property(String name, String type, String defaultValue, String description) {}

    /** A class and its properties, as they stand. */
    record Bean(String className, List<Property> properties) {}

    private RaXml(Document document) {
        this.document = document;
    }

    static RaXml read() {
        try {
            return new RaXml(
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(FILE.toFile()));
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new AssertionError("read " + FILE, e);
        }
    }

    /** All beans, in the order of the file. */
    List<Bean> beans() {
        List<Bean> beans = new ArrayList<>();
        for (Element element : all("*")) {
            if (BEAN_CLASSES.contains(element.getTagName())) {
                beans.add(new Bean(text(element), properties((Element) element.getParentNode())));
            }
        }
        return beans;
    }

    /** All classes and interfaces that it names. */
    List<String> classNames() {
        return all("*").stream()
                .filter(
                        element ->
                                element.getTagName().matches(".*(class|interface|listener-type)"))
                .map(RaXml::text)
                .toList();
    }

    private List<Element> all(String name) {
        NodeList nodes = document.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static List<Property> properties(Element bean) {
        List<Property> properties = new ArrayList<>();
        for (Node node = bean.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals("config-property")) {
                properties.add(
                        new Property(
                                child(element, "config-property-name"),
                                child(element, "config-property-type"),
                                child(element, "config-property-value"),
                                child(element, "description")));
            }
        }
        return properties;
    }

    private static String child(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        return found.getLength() == 0 ? "" : text((Element) found.item(0));
    }

    private static String text(Element element) {
        return element.getTextContent().strip().replaceAll("\\s+", " ");
    }
}
