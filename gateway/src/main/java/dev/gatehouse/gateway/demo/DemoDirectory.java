package dev.gatehouse.gateway.demo;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFReader;
import java.io.InputStream;
import java.net.InetAddress;

/** The demo's directory: an LDAP server in memory, on loopback, with the people of {@code demo/directory.ldif}. */
public final class DemoDirectory implements AutoCloseable {
  private static final String BASE = "dc=example,dc=org";

  private final InMemoryDirectoryServer server;

  private DemoDirectory(InMemoryDirectoryServer server) {
    this.server = server;
  }

  /**
   * Starts the server. Port 0 takes a free one.
   *
   * @throws PortTaken if the port is not free
   */
  public static DemoDirectory start(int port) {
    try {
      InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
      config.setListenerConfigs(
          InMemoryListenerConfig.createLDAPConfig("demo", InetAddress.getLoopbackAddress(), port, null));
      InMemoryDirectoryServer server = new InMemoryDirectoryServer(config);
      server.importFromLDIF(true, new LDIFReader(people()));
      server.startListening();
      return new DemoDirectory(server);
    } catch (LDAPException e) {
      throw new PortTaken("the demo's directory", port, e);
    }
  }

  public int port() {
    return server.getListenPort();
  }

  @Override
  public void close() {
    server.shutDown(true);
  }

  private static InputStream people() {
    InputStream ldif = DemoDirectory.class.getResourceAsStream("/demo/directory.ldif");
    if (ldif == null) {
      throw new IllegalStateException("demo/directory.ldif is missing from the jar");
    }
    return ldif;
  }
}
