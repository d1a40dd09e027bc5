package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.db.H2Database;
import dev.gatehouse.common.store.RocksStores;
import java.util.Optional;

/** The engines that a recovery has opened so far. */
final class OpenStores implements AutoCloseable {

  private Optional<H2Database> database = Optional.empty();
  private Optional<RocksStores> stores = Optional.empty();

  void database(H2Database opened) {
    database = Optional.of(opened);
  }

  void stores(RocksStores opened) {
    stores = Optional.of(opened);
  }

  H2Database database() {
    return database.orElseThrow();
  }

  RocksStores stores() {
    return stores.orElseThrow();
  }

  @Override
  public void close() {
    try {
      stores.ifPresent(RocksStores::close);
    } finally {
      database.ifPresent(H2Database::close);
    }
  }
}
