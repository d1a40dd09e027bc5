package dev.gatehouse.common.otp;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.store.RocksStores;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Tokens whose uses wait in a journal keep the contract. */
final class JournaledTokensTest extends TokensContract {

  private static final TestTime TIME = new TestTime();
  private static final Database DATABASE = Database.inMemory();
  private static RocksStores stores;
  private static UseJournal journal;
  private static Tokens tokens;

  @BeforeAll
  static void open(@TempDir Path data) {
    stores = new RocksStores(data, TIME);
    journal = UseJournal.open(DATABASE, stores, TIME).orElseThrow();
    tokens = journal.tokens(new JdbcTokens(DATABASE));
  }

  @Override
  protected Tokens tokens() {
    return tokens;
  }

  @AfterAll
  static void close() {
    journal.close();
    stores.close();
    DATABASE.close();
  }
}
