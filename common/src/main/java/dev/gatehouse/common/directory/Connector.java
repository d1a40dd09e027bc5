package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.ExtendedResult;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.extensions.StartTLSExtendedRequest;
import com.unboundid.util.ssl.HostNameSSLSocketVerifier;
import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import dev.gatehouse.common.realm.DirectoryConfig.Server;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.wait.TimedSockets;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Opens connections as configured: plain, StartTLS (RFC 4511, section 4.14) or LDAPS; verifies the host name. */
final class Connector {

  private static final int LARGEST_ANSWER = 8 << 20;

  private final DirectoryConfig config;

  /** Of plain connections and those by StartTLS: a login reads three answers. */
  private final TimedSockets sockets = new TimedSockets();
  private volatile @Nullable Trust trust;

  Connector(DirectoryConfig config) {
    this.config = config;
  }

  /** Opens an anonymous connection. */
  LDAPConnection open(Server server) throws LDAPException {
    LDAPConnection connection =
        config.security() == Security.LDAPS
            ? new LDAPConnection(tls(), options())
            : new LDAPConnection(sockets, options());
    try {
      connection.connect(address(server), server.port(), (int) config.pool().connectTimeout().toMillis());
      if (config.security() == Security.START_TLS) {
        startTls(connection);
      }
      return connection;
    } catch (LDAPException e) {
      connection.closeWithoutUnbind();
      throw e;
    }
  }

  /** Binds as the service account that searches; the connection stays anonymous if none is configured. */
  void bindService(LDAPConnection connection) throws LDAPException {
    if (config.bindDn().isPresent()) {
      String password = config.bindPassword().map(Secret::value).orElse("");
      connection.bind(new SimpleBindRequest(config.bindDn().get(), password));
    }
  }

  /** Reads the base entry: succeeds if the database behind the server responds, even if the entry is hidden. */
  void readBase(LDAPConnection connection) throws LDAPException {
    try {
      connection.getEntry(config.people().baseDn(), SearchRequest.NO_ATTRIBUTES);
    } catch (LDAPException e) {
      if (!e.getResultCode().isConnectionUsable() || e.getResultCode().isClientSideResultCode()) {
        throw e;
      }
    }
  }

  private void startTls(LDAPConnection connection) throws LDAPException {
    ExtendedResult result = connection.processExtendedOperation(new StartTLSExtendedRequest(tls()));
    if (!result.getResultCode().equals(ResultCode.SUCCESS)) {
      throw new LDAPException(ResultCode.CONNECT_ERROR, "the server refuses StartTLS: " + result.getResultCode());
    }
  }

  private LDAPConnectionOptions options() {
    LDAPConnectionOptions options = new LDAPConnectionOptions();
    // No reader thread per connection: the (virtual) thread that sends a request reads its response.
    options.setUseSynchronousMode(true);
    options.setConnectTimeoutMillis((int) config.pool().connectTimeout().toMillis());
    options.setResponseTimeoutMillis(config.pool().responseTimeout().toMillis());
    options.setFollowReferrals(false);
    options.setMaxMessageSize(LARGEST_ANSWER);
    // The SDK refuses a DN with an empty password. We have refused it before; this is a second safeguard.
    options.setBindWithDNRequiresPassword(true);
    options.setSSLSocketVerifier(new HostNameSSLSocketVerifier(false));
    return options;
  }

  /** Returns the address; names below .localhost are loopback (RFC 6761), whatever the resolver says. */
  private static String address(Server server) {
    return Loopback.isBelowLocalhost(server.host()) ? InetAddress.getLoopbackAddress().getHostAddress() : server.host();
  }


  private record Trust(Optional<FileTime> changed, SSLSocketFactory sockets) {}

  /** Returns the sockets' factory; reads the trust file again if it changed, so that a new CA needs no restart. */
  private SSLSocketFactory tls() throws LDAPException {
    try {
      Optional<FileTime> changed = Optional.empty();
      if (config.trust().isPresent()) {
        changed = Optional.of(Files.getLastModifiedTime(config.trust().get()));
      }
      Trust known = trust;
      if (known == null || !known.changed().equals(changed)) {
        known = new Trust(changed, sockets(config.trust()));
        trust = known;
      }
      return known.sockets();
    } catch (IOException | GeneralSecurityException e) {
      throw new LDAPException(ResultCode.LOCAL_ERROR, "the directory's trust file cannot be used: " + e.getMessage(), e);
    }
  }

  private static SSLSocketFactory sockets(Optional<Path> file) throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    if (file.isEmpty()) {
      context.init(null, null, null);
      return context.getSocketFactory();
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    List<X509Certificate> certificates = Pem.certificates(Files.readAllBytes(file.get()));
    for (int i = 0; i < certificates.size(); i++) {
      store.setCertificateEntry("ca" + i, certificates.get(i));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    context.init(null, trust.getTrustManagers(), null);
    return context.getSocketFactory();
  }
}
