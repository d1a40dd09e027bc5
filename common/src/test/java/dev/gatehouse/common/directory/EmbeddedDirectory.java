package dev.gatehouse.common.directory;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFReader;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** UnboundID's in-memory server: fast, without a password policy. */
public final class EmbeddedDirectory implements TestDirectoryServer {

  private final InMemoryDirectoryServer server;
  private final int port;

  private EmbeddedDirectory(InMemoryDirectoryServer server) {
    this.server = server;
    this.port = server.getListenPort();
  }

  /** The protection of connections. */
  public enum Wire {
    PLAIN,
    /** Plain until StartTLS. */
    START_TLS,
    /** LDAPS. */
    TLS
  }

  /** Starts a server with these entries on a free port. */
  public static EmbeddedDirectory start(String ldif) {
    return start(ldif, listener(Optional.empty()));
  }

  /** Starts a server with TLS. */
  public static EmbeddedDirectory start(String ldif, Wire wire, SSLContext tls) throws LDAPException {
    return start(
        ldif,
        switch (wire) {
          case PLAIN -> listener(Optional.empty());
          case START_TLS -> listener(Optional.of(tls));
          case TLS ->
              InMemoryListenerConfig.createLDAPSConfig(
                  "test", InetAddress.getLoopbackAddress(), 0, tls.getServerSocketFactory(), tls.getSocketFactory());
        });
  }

  private static InMemoryListenerConfig listener(Optional<SSLContext> startTls) {
    try {
      return InMemoryListenerConfig.createLDAPConfig(
          "test", InetAddress.getLoopbackAddress(), 0, startTls.map(SSLContext::getSocketFactory).orElse(null));
    } catch (LDAPException e) {
      throw new IllegalStateException(e);
    }
  }

  private static EmbeddedDirectory start(String ldif, InMemoryListenerConfig listener) {
    try {
      InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(TestPeople.BASE);
      config.setSchema(null);
      config.setListenerConfigs(listener);
      InMemoryDirectoryServer server = new InMemoryDirectoryServer(config);
      byte[] entries = ldif.getBytes(StandardCharsets.UTF_8);
      server.importFromLDIF(true, new LDIFReader(new ByteArrayInputStream(entries)));
      server.startListening();
      return new EmbeddedDirectory(server);
    } catch (LDAPException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int port() {
    return port;
  }

  /** Returns the server itself, to inspect or change entries. */
  public InMemoryDirectoryServer server() {
    return server;
  }

  @Override
  public void stop() {
    server.shutDown(true);
  }

  @Override
  public void restart() {
    try {
      server.startListening();
    } catch (LDAPException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.shutDown(true);
  }
}
