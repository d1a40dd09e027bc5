package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.page.LogoImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.http.MultiPartConfig;
import org.eclipse.jetty.http.MultiPartFormData;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.util.Attributes;
import org.jspecify.annotations.Nullable;

/** Rewrites forms with a file ({@code multipart/form-data}, RFC 7578) as the forms that everything else reads. */
public final class MultipartForm {

  private static final int MOST_PARTS = 50;
  private static final byte[] MALFORMED = "%".getBytes(StandardCharsets.US_ASCII);

  private MultipartForm() {}

  /** Returns the content type of a form with a file; empty for other contents. */
  public static Optional<String> type(@Nullable String contentType) {
    return Optional.ofNullable(contentType).filter(type -> type.strip().toLowerCase(Locale.ROOT).startsWith("multipart/form-data"));
  }

  /** Returns the form, with images in base64; something that no reader of forms accepts if it is malformed. */
  public static byte[] urlEncoded(byte[] body, String type) {
    MultiPartConfig config = new MultiPartConfig.Builder().maxParts(MOST_PARTS).maxMemoryPartSize(-1).maxSize(-1).build();
    Content.Source source = new ByteBufferContentSource(ByteBuffer.wrap(body));
    try (MultiPartFormData.Parts parts = MultiPartFormData.getParts(source, new Attributes.Mapped(), type, config)) {
      ByteArrayOutputStream form = new ByteArrayOutputStream(2 * body.length);
      for (MultiPart.Part part : parts) {
        String name = part.getName();
        if (name != null) {
          append(form, name.getBytes(StandardCharsets.UTF_8));
          form.write('=');
          try (InputStream content = Content.Source.asInputStream(part.newContentSource(null, 0, -1))) {
            byte[] bytes = content.readAllBytes();
            append(form, isImage(part, bytes) ? Base64.getEncoder().encode(bytes) : bytes);
          }
          form.write('&');
        }
      }
      return form.toByteArray();
    } catch (IOException | RuntimeException e) {
      return MALFORMED;
    }
  }

  /** Some browsers do not know every kind of image, so that the content counts, too. */
  private static boolean isImage(MultiPart.Part part, byte[] bytes) {
    String type = Optional.ofNullable(part.getHeaders().get(HttpHeader.CONTENT_TYPE)).orElse("").toLowerCase(Locale.ROOT);
    return part.getFileName() != null
        && (type.startsWith("image/") || LogoImage.of(bytes).filter(kind -> kind != LogoImage.SVG).isPresent());
  }

  /** Bytes are kept as they are, so that the reader finds out whether they are UTF-8. */
  private static void append(ByteArrayOutputStream form, byte[] bytes) {
    for (byte b : bytes) {
      boolean isPlain = b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z';
      if (isPlain) {
        form.write(b);
      } else {
        form.write('%');
        form.writeBytes(HexFormat.of().withUpperCase().formatHex(new byte[] {b}).getBytes(StandardCharsets.US_ASCII));
      }
    }
  }
}
