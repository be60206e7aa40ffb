package org.metaq.interop;

import java.nio.file.Path;

/**
 * The same with MetaQ's own server: what it passes there is what clients expect. Skipped where that
 * server does not start.
 */
class OriginalServerIT extends ClassicClientTests {
    @Override
    MetaqServer start(Path serverDirectory, ServerIni ini) throws Exception {
        return OriginalServer.startOrSkip(serverDirectory, ini);
    }
}
