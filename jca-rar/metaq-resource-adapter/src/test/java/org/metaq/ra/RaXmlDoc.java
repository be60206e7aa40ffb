package org.metaq.ra;

import java.util.List;

/** Makes the tables of {@code docs/resource-adapter.md} from ra.xml. */
final class RaXmlDoc {
    private RaXmlDoc() {}

    /** The properties of a bean. */
    static String table(RaXml.Bean bean) {
        StringBuilder text =
                new StringBuilder(
                        "| property | type | default | what it is |\n|---|---|---|---|\n");
        for (RaXml.Property property : bean.properties()) {
            text.append("| `")
                    .append(property.name())
                    .append("` | ")
                    .append(property.type().replace("java.lang.", ""))
                    .append(" | ")
                    .append(
                            property.defaultValue().isEmpty()
                                    ? ""
                                    : "`" + property.defaultValue() + "`")
                    .append(" | ")
                    .append(property.description().replace("|", "\\|"))
                    .append(" |\n");
        }
        return text.toString();
    }

    /** Prints them all, to be pasted. */
    public static void main(String[] arguments) {
        List<RaXml.Bean> beans = RaXml.read().beans();
        beans.forEach(bean -> System.out.println(bean.className() + "\n\n" + table(bean)));
    }
}
