package org.metaq.interop;

import java.nio.file.Path;

/** MetaQ's client with our broker. */
class ClassicClientIT extends ClassicClientTests {
    @Override
    MetaqServer start(Path serverDirectory, ServerIni ini) throws Exception {
        return OurServer.start(serverDirectory, ini);
    }
}
