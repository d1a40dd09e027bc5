package dev.gatehouse.idp.oauth.device;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.store.PackedCodec;

/**
 * A person who has entered a user code and is being asked for confirmation.
 *
 * @param device the key of the request in {@link DeviceCodes}
 * @param person the person who entered the code
 */
record DeviceConfirmation(String device, PersonId person) {

  /** The codec of the form that the browser carries. */
  static final class Codec extends PackedCodec<DeviceConfirmation> {
    private static final int VERSION = 1;

    Codec() {
      super(VERSION);
    }

    @Override
    protected void write(PackedWriter out, DeviceConfirmation value) {
      out.text(value.device());
      out.text(value.person().value());
    }

    @Override
    protected DeviceConfirmation read(PackedReader in) {
      return new DeviceConfirmation(in.text(), new PersonId(in.text()));
    }
  }
}
