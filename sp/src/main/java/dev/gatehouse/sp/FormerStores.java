package dev.gatehouse.sp;

import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import java.util.List;

/** Stores of former versions, whose entries live an hour: they are opened so that what is left there expires, and never read. */
final class FormerStores {

  /** Pending requests, and logins that were parked with their target. */
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

  private FormerStores() {}

  static void sweep(Stores stores) {
    NAMES.forEach(name -> stores.singleUse(name, BYTES));
  }
}
