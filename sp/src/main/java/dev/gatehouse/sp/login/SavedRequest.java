package dev.gatehouse.sp.login;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.ValueCodec;
import java.util.List;
import java.util.Optional;

/**
 * A POST that was interrupted by a login.
 *
 * @param realm name of the realm
 * @param target the page to which it was sent
 * @param browser the hash of the sender's browser key: only that browser may repeat the request
 * @param contentType media type of the body
 * @param sealedBody the body, readable only with the browser's key
 */
record SavedRequest(
    String realm, ReturnTarget target, String browser, Optional<String> contentType, byte[] sealedBody) {

  static final ValueCodec<SavedRequest> CODEC =
      PackedCodec.of(
          2,
          (out, post) -> {
            out.text(post.realm());
            ReturnTarget.write(out, post.target());
            out.text(post.browser());
            out.optional(post.contentType(), PackedWriter::text);
            out.bytes(post.sealedBody());
          },
          in ->
              new SavedRequest(
                  in.text(), ReturnTarget.read(in), in.text(), in.optional(PackedReader::text), in.bytes()));

  /** The fields of the repeated request that describe its body. */
  Headers headers() {
    return Headers.of(contentType.map(type -> List.of(new Headers.Field("Content-Type", type))).orElse(List.of()));
  }
}
