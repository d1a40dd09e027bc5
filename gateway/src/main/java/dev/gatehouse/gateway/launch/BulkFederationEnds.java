package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcNamePairs;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.LdapDirectories;
import dev.gatehouse.common.directory.NamePairs.Kind;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.federation.PairedAccountLinks;
import dev.gatehouse.common.federation.PairedPersistentNameIds;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Node.Listener;
import dev.gatehouse.common.node.Node.Storage;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.gateway.federate.FederationEnd;
import dev.gatehouse.gateway.federate.FederationEndFailed;
import dev.gatehouse.gateway.federate.PinnedCertificate;
import dev.gatehouse.gateway.federate.RunningNodeEnd;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** The ends of one configuration: those of a running node, or its stores if no node runs. */
abstract sealed class BulkFederationEnds implements AutoCloseable {

  private static final int PROBE_MILLIS = 1000;
  private static final String KEY_PREFIX = "federate-bulk-";

  static BulkFederationEnds open(Configuration configuration, Optional<String> key) {
    Listener admin = configuration.node().listeners().admin();
    return isServed(admin) ? new AtNode(configuration.node(), key) : new AtStores(configuration);
  }

  /** The end that issues names for a service provider. */
  final FederationEnd issuer(Realm realm, String sp) {
    if (realm.idp().isEmpty()) {
      throw new StartRefused("Realm " + realm.name() + " has no idp, so it issues no names.");
    }
    requirePartner(realm, sp);
    return end(realm, "names", sp);
  }

  /** The end that links names of an identity provider. */
  final FederationEnd linker(Realm realm, String idp) {
    if (realm.sp().isEmpty()) {
      throw new StartRefused("Realm " + realm.name() + " has no sp, so it links no accounts.");
    }
    requirePartner(realm, idp);
    return end(realm, "links", idp);
  }

  private static void requirePartner(Realm realm, String entityId) {
    if (realm.parties().partners().stream().noneMatch(partner -> partner.entityId().equals(entityId))) {
      throw new StartRefused("Realm " + realm.name() + " has no partner " + entityId + ".");
    }
  }

  abstract FederationEnd end(Realm realm, String kind, String partner);

  /** Describes the end to the operator in one sentence. */
  abstract String describe();

  @Override
  public abstract void close();

  private static boolean isServed(Listener admin) {
    try (Socket socket = new Socket()) {
      socket.connect(reachable(admin.address()), PROBE_MILLIS);
      return true;
    } catch (IOException nobodyListens) {
      return false;
    }
  }

  private static InetSocketAddress reachable(InetSocketAddress address) {
    return address.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
        : address;
  }

  /** Uses a running node's REST API. */
  private static final class AtNode extends BulkFederationEnds {
    private final URI address;
    private final HttpClient http;
    private final String key;
    private final Runnable revokeKey;
    private final Thread atExit;

    AtNode(Node node, Optional<String> given) {
      Listener admin = node.listeners().admin();
      InetSocketAddress at = reachable(admin.address());
      String host = at.getAddress().getHostAddress();
      this.address =
          URI.create(
              (admin.tls().isPresent() ? "https" : "http") + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                  + at.getPort());
      HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5));
      admin.tls().ifPresent(tls -> builder.sslContext(PinnedCertificate.trusting(certificate(tls))));
      this.http = builder.build();
      if (given.isPresent()) {
        this.key = given.get();
        this.revokeKey = () -> {};
      } else {
        AdministratorKeys keys = new AdministratorKeys(node.data(), InstantSource.system(), new SecureRandom());
        String name = KEY_PREFIX + HexFormat.of().toHexDigits(new SecureRandom().nextInt());
        this.key =
            switch (keys.create(name)) {
              case Creation.Created created -> created.secret();
              case Creation.Refused refused -> throw new StartRefused(refused.why());
            };
        this.revokeKey = () -> keys.revoke(name);
      }
      this.atExit = new Thread(revokeKey, "revoke-key");
      Runtime.getRuntime().addShutdownHook(atExit);
    }

    private static java.security.cert.X509Certificate certificate(Node.Tls tls) {
      try {
        return Pem.certificates(Files.readAllBytes(tls.certificate())).getFirst();
      } catch (IOException | java.security.GeneralSecurityException e) {
        throw new StartRefused("The certificate of listeners.admin cannot be read: " + e.getMessage());
      }
    }

    @Override
    FederationEnd end(Realm realm, String kind, String partner) {
      return new RunningNodeEnd(http, address, realm.name(), kind, partner, key);
    }

    @Override
    String describe() {
      return "Using the running node at " + address + ".";
    }

    @Override
    public void close() {
      http.close();
      revokeKey.run();
      Runtime.getRuntime().removeShutdownHook(atExit);
    }
  }

  /** Uses the stores, which no other process has open. */
  private static final class AtStores extends BulkFederationEnds {
    private final Database database;
    private final LdapDirectories directories;
    private final BulkFederation bulk;
    private final JsonLinesAuditLog audit;
    private final DataLock lock;

    AtStores(Configuration configuration) {
      Node node = configuration.node();
      if (node.storage() == Storage.VOLATILE) {
        throw new StartRefused("The node stores nothing (storage: volatile): start it first.");
      }
      InstantSource time = InstantSource.system();
      Realms realms = new LoadedRealms(configuration.realms());
      this.lock = DataLock.take(node.data(), "federate bulk");
      this.database = Database.embedded(node.data());
      this.directories = new LdapDirectories(realms);
      PersistentNameIds nameIds =
          new PairedPersistentNameIds(NodeAssembly.pairs(Kind.GIVEN, realms, database, directories, time));
      AccountLinks links =
          new PairedAccountLinks(NodeAssembly.pairs(Kind.LINKED, realms, database, directories, time));
      this.bulk = new BulkFederation(directories, nameIds, links, new SecureRandom());
      this.audit = NodeAudit.open(node, time);
    }

    @Override
    FederationEnd end(Realm realm, String kind, String partner) {
      audit.record(
          new AuditEvent.Administered(
              new AuditEvent.Context(realm.name(), "-", Optional.empty()),
              "command line",
              "federation.bulk",
              Map.of("kind", kind, "partner", partner)));
      return lines -> {
        try {
          return kind.equals("names") ? bulk.give(realm, partner, lines) : bulk.link(realm, partner, lines);
        } catch (DirectoryUnavailable e) {
          throw new FederationEndFailed("The directory failed: " + e.getMessage());
        }
      };
    }

    @Override
    String describe() {
      return "No node is running; working on its stores.";
    }

    @Override
    public void close() {
      try (lock) {
        directories.close();
        database.close();
        audit.close();
      }
    }
  }
}
