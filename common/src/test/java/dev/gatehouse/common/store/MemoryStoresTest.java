package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** The stores of other tests keep the same contracts as those of a node. */
class MemoryStoresTest extends StoresContract {

  @Override
  Stores open(InstantSource time) {
    return new MemoryStores(time);
  }

  @Test
  void givesEachNameOutOnce() {
    Stores stores = open(InstantSource.system());
    assertThat(stores.singleUse("codes", new TextCodec())).isNotNull();
    assertThatIllegalStateException().isThrownBy(() -> stores.singleUse("codes", new TextCodec()));
    assertThatIllegalStateException().isThrownBy(() -> stores.sessions("codes", PlainSession.CODEC));
    assertThatIllegalArgumentException().isThrownBy(() -> stores.singleUse("No name", new TextCodec()));
  }
}
