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

/** UnboundID's in-memory server: quick, without a password policy. */
public final class EmbeddedDirectory implements TestDirectoryServer {

  private final InMemoryDirectoryServer server;
  private final int port;

  private EmbeddedDirectory(InMemoryDirectoryServer server) {
    this.server = server;
    this.port = server.getListenPort();
  }

  /** Starts one with these entries on a free port. */
  public static EmbeddedDirectory start(String ldif) {
    return start(ldif, Optional.empty());
  }

  /** Starts one that also understands StartTLS. */
  public static EmbeddedDirectory startWithTls(String ldif, SSLContext tls) {
    return start(ldif, Optional.of(tls));
  }

  private static EmbeddedDirectory start(String ldif, Optional<SSLContext> tls) {
    try {
      InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(TestPeople.BASE);
      config.setSchema(null);
      config.setListenerConfigs(
          InMemoryListenerConfig.createLDAPConfig(
              "test", InetAddress.getLoopbackAddress(), 0, tls.map(SSLContext::getSocketFactory).orElse(null)));
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

  /** The server itself, to look at entries or change them. */
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
