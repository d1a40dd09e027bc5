package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.LdapDirectories;
import dev.gatehouse.common.directory.NamePairs.Kind;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.federation.PairedAccountLinks;
import dev.gatehouse.common.federation.PairedPersistentNameIds;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Node.Storage;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.federate.FederationEnd;
import dev.gatehouse.gateway.federate.FederationEndFailed;
import dev.gatehouse.gateway.federate.LoadedRealms;
import dev.gatehouse.gateway.federate.RunningNodeEnd;
import dev.gatehouse.gateway.node.FederationConfig;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The ends of one configuration: those of a running node, or its stores if no node runs. */
abstract sealed class BulkFederationEnds implements AutoCloseable {

  private static final String COMMAND = "federate bulk";
  private static final String KEY_PREFIX = "federate-bulk-";

  static BulkFederationEnds open(Configuration configuration, Optional<String> key) {
    Node node = configuration.node();
    return NodeConnection.isServed(node) ? new AtNode(NodeConnection.open(node, key, KEY_PREFIX)) : AtStores.open(configuration);
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

  /** Uses a running node's REST API. */
  private static final class AtNode extends BulkFederationEnds {
    private final NodeApi node;

    AtNode(NodeApi node) {
      this.node = node;
    }

    @Override
    FederationEnd end(Realm realm, String kind, String partner) {
      return new RunningNodeEnd(node, realm.name(), kind, partner);
    }

    @Override
    String describe() {
      return "Using the running node at " + node.address() + ".";
    }

    @Override
    public void close() {
      node.close();
    }
  }

  /** Uses the stores, which no other process has open. */
  private static final class AtStores extends BulkFederationEnds {
    private final StoppedNode stopped;
    private final Database database;
    private final LdapDirectories directories;
    private final BulkFederation bulk;

    static AtStores open(Configuration configuration) {
      Node node = configuration.node();
      if (node.storage() == Storage.VOLATILE) {
        throw new StartRefused("The node stores nothing (storage: volatile): start it first.");
      }
      StoppedNode stopped = StoppedNode.complete(node, COMMAND);
      try {
        return open(stopped, new LoadedRealms(configuration.realms()));
      } catch (RuntimeException e) {
        stopped.close();
        throw e;
      }
    }

    private static AtStores open(StoppedNode stopped, Realms realms) {
      Database database = Database.embedded(stopped.node().data());
      try {
        return new AtStores(stopped, database, new LdapDirectories(realms), realms);
      } catch (RuntimeException e) {
        database.close();
        throw e;
      }
    }

    private AtStores(StoppedNode stopped, Database database, LdapDirectories directories, Realms realms) {
      this.stopped = stopped;
      this.database = database;
      this.directories = directories;
      InstantSource time = InstantSource.system();
      PersistentNameIds nameIds =
          new PairedPersistentNameIds(FederationConfig.pairs(Kind.GIVEN, realms, database, directories, database.rowChanges(), time));
      AccountLinks links =
          new PairedAccountLinks(FederationConfig.pairs(Kind.LINKED, realms, database, directories, database.rowChanges(), time));
      this.bulk = new BulkFederation(directories, nameIds, links, new SecureRandom());
    }

    @Override
    FederationEnd end(Realm realm, String kind, String partner) {
      stopped.audit().record(
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
      try (stopped;
          database) {
        directories.close();
      }
    }
  }
}
