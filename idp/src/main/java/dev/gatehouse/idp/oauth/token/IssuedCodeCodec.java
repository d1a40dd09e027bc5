package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.store.UnknownFormat;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.idp.oauth.AuthorizationCodec;
import java.util.Arrays;

/**
 * The byte codec of the data behind an authorization code: first the binding values with their length, then the
 * authorization.
 */
public final class IssuedCodeCodec implements ValueCodec<IssuedCode> {

  private static final int VERSION = 1;

  private final AuthorizationCodec authorizations = new AuthorizationCodec();

  @Override
  public byte[] encode(IssuedCode code) {
    PackedWriter out = new PackedWriter();
    out.optional(code.redirectUri(), PackedWriter::text);
    out.optional(code.codeChallenge(), PackedWriter::text);
    out.optional(code.dpopThumbprint(), PackedWriter::text);
    byte[] binding = out.toBytes();
    byte[] authorization = authorizations.encode(code.authorization());
    byte[] bytes = new byte[3 + binding.length + authorization.length];
    bytes[0] = VERSION;
    bytes[1] = (byte) (binding.length >> 8);
    bytes[2] = (byte) binding.length;
    System.arraycopy(binding, 0, bytes, 3, binding.length);
    System.arraycopy(authorization, 0, bytes, 3 + binding.length, authorization.length);
    return bytes;
  }

  @Override
  public IssuedCode decode(byte[] bytes) {
    if (bytes.length < 3) {
      throw new IllegalArgumentException("not an IssuedCode");
    }
    if (bytes[0] != VERSION && bytes[0] != VERSION + 1) {
      throw new UnknownFormat("An IssuedCode", bytes[0], VERSION, VERSION + 1);
    }
    int end = 3 + ((bytes[1] & 0xff) << 8 | bytes[2] & 0xff);
    if (end > bytes.length) {
      throw new IllegalArgumentException("an IssuedCode is cut off");
    }
    PackedReader in = new PackedReader(Arrays.copyOfRange(bytes, 3, end));
    IssuedCode code =
        new IssuedCode(
            authorizations.decode(Arrays.copyOfRange(bytes, end, bytes.length)),
            in.optional(PackedReader::text),
            in.optional(PackedReader::text),
            in.optional(PackedReader::text));
    if (bytes[0] == VERSION) {
      in.requireEnd();
    }
    return code;
  }
}
