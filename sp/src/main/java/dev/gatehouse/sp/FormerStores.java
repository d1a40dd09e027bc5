package dev.gatehouse.sp;

import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import java.util.List;

/**
 * Stores of earlier versions, whose entries last one hour. They are opened only so that remaining entries expire, and
 * are never read.
 */
final class FormerStores {

  /** Pending requests, and saved logins with their targets. */
  private static final List<String> NAMES = List.of("sp-pending", "sp-parked", "sp-parked-memo");

  private static final ValueCodec<byte[]> BYTES =
      new ValueCodec<>() {
        @Override
        public byte[] encode(byte[] value) {
          return value;
        }

        @Override
        public byte[] decode(byte[] bytes) {
          return bytes;
        }
      };

  FormerStores(Stores stores) {
    NAMES.forEach(name -> stores.singleUse(name, BYTES));
  }
}
