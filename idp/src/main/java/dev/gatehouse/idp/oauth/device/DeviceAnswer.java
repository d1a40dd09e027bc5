package dev.gatehouse.idp.oauth.device;

import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.AuthorizationCodec;
import java.util.Arrays;
import java.util.Optional;

/**
 * The person's answer to a device.
 *
 * @param agreed the authorization as it began, and which may have ended since; empty if the person refused
 */
record DeviceAnswer(Optional<Authorization> agreed) {

  /** One byte for the kind of answer, followed by the authorization. */
  static final class Codec implements ValueCodec<DeviceAnswer> {

    private static final byte DENIED = 0;
    private static final byte AGREED = 1;

    private final AuthorizationCodec authorizations = new AuthorizationCodec();

    @Override
    public byte[] encode(DeviceAnswer answer) {
      if (answer.agreed().isEmpty()) {
        return new byte[] {DENIED};
      }
      byte[] authorization = authorizations.encode(answer.agreed().get());
      byte[] bytes = new byte[authorization.length + 1];
      bytes[0] = AGREED;
      System.arraycopy(authorization, 0, bytes, 1, authorization.length);
      return bytes;
    }

    @Override
    public DeviceAnswer decode(byte[] bytes) {
      if (bytes.length == 1 && bytes[0] == DENIED) {
        return new DeviceAnswer(Optional.empty());
      }
      if (bytes.length < 2 || bytes[0] != AGREED) {
        throw new IllegalArgumentException("not a DeviceAnswer");
      }
      return new DeviceAnswer(Optional.of(authorizations.decode(Arrays.copyOfRange(bytes, 1, bytes.length))));
    }
  }
}
