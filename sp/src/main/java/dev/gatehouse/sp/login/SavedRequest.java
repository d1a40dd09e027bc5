package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.sp.codec.FieldCodec;
import dev.gatehouse.sp.codec.FieldReader;
import dev.gatehouse.sp.codec.FieldWriter;
import java.util.List;
import java.util.Optional;

/**
 * A POST that met a login.
 *
 * @param realm its realm's name
 * @param target where it was sent
 * @param browser the hash of whoever sent it: only that browser may repeat it
 * @param contentType of the body
 * @param sealedBody readable only with what the browser holds
 */
record SavedRequest(
    String realm, ReturnTarget target, String browser, Optional<String> contentType, byte[] sealedBody) {

  static final ValueCodec<SavedRequest> CODEC =
      new FieldCodec<>(
          1,
          (out, post) -> {
            out.text(post.realm());
            ReturnTarget.write(out, post.target());
            out.text(post.browser());
            out.optional(post.contentType(), FieldWriter::text);
            out.bytes(post.sealedBody());
          },
          in ->
              new SavedRequest(
                  in.text(), ReturnTarget.read(in), in.text(), in.optional(FieldReader::text), in.bytes()));

  /** The fields of the repeated request that describe its body. */
  Headers headers() {
    return Headers.of(contentType.map(type -> List.of(new Headers.Field("Content-Type", type))).orElse(List.of()));
  }
}
