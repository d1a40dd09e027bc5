package dev.gatehouse.gateway.node;

import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.key.FileKeyPlace;
import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.postgres.PostgresUnusable;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The keys of a node for a command, which may run beside the node.
 *
 * @param database open until {@link #close}, if it holds the keys
 */
public record StoredKeys(KeyPlace place, Optional<PostgresDatabase> database) implements AutoCloseable {

  /** Opens the folder or the database that holds the keys; throws one sentence with the remedy if that is not possible. */
  public static StoredKeys open(Node node) throws PostgresUnusable {
    return switch (node.storage()) {
      case EMBEDDED -> {
        new MoveMark(node.data()).requireAt(MoveMark.Target.EMBEDDED);
        yield new StoredKeys(new FileKeyPlace(node.data()), Optional.empty());
      }
      case VOLATILE -> new StoredKeys(new FileKeyPlace(node.data()), Optional.empty());
      case SHARED -> shared(node);
    };
  }

  private static StoredKeys shared(Node node) throws PostgresUnusable {
    PostgresDatabase database = PostgresDatabase.open(node.state().requireShared().postgres());
    try {
      return new StoredKeys(SharedState.keys(node, database, InstantSource.system(), new SecureRandom()), Optional.of(database));
    } catch (PostgresUnusable | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  @Override
  public void close() {
    database.ifPresent(PostgresDatabase::close);
  }
}
