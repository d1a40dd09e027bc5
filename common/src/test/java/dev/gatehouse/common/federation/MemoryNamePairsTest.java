package dev.gatehouse.common.federation;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.MemoryNamePairs;
import dev.gatehouse.common.directory.NamePairs;
import org.junit.jupiter.api.Nested;

/** The fixture satisfies the contract too; otherwise other tests would prove nothing. */
class MemoryNamePairsTest {

  @Nested
  class Given extends PersistentNameIdsContract {
    private final NamePairs pairs = new MemoryNamePairs(NamePairs.Kind.GIVEN, new TestTime());

    @Override
    protected NamePairs pairs() {
      return pairs;
    }
  }

  @Nested
  class Linked extends AccountLinksContract {
    private final NamePairs pairs = new MemoryNamePairs(NamePairs.Kind.LINKED, new TestTime());

    @Override
    protected NamePairs pairs() {
      return pairs;
    }
  }
}
