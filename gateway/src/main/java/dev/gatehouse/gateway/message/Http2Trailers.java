package dev.gatehouse.gateway.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The trailer fields of an HTTP/2 request, parsed as strictly as its head (RFC 9113, section 8.1). */
public final class Http2Trailers {

  private static final int MAX = 32;

  private final HeadBuffer lines = new HeadBuffer();
  private @Nullable Malformation malformation;

  /** Takes the next field. */
  public void field(byte[] names, int nameStart, int nameEnd, byte[] values, int valueStart, int valueEnd) {
    if (malformation != null) {
      return;
    }
    if (nameStart < nameEnd && names[nameStart] == ':') {
      malformation = Malformation.PSEUDO_FIELD;
      return;
    }
    malformation = Http2RequestHeads.check(names, nameStart, nameEnd, values, valueStart, valueEnd);
    if (malformation == null && FieldName.of(names, nameStart, nameEnd).isHopByHop()) {
      malformation = Malformation.CONNECTION_FIELD;
    }
    lines.put(names, nameStart, nameEnd).put(':').put(' ').put(values, valueStart, valueEnd).endLine();
  }

  /** The defect of the fields; null if there is none. */
  public @Nullable Malformation malformation() {
    return malformation;
  }

  /** The fields if they are valid; null if there are none or too many. */
  public @Nullable Fields fields() {
    if (lines.length() == 0) {
      return null;
    }
    lines.endLine();
    try {
      return FieldParser.parse(Arrays.copyOf(lines.array(), lines.length()), 0, lines.length(), MAX);
    } catch (MalformedMessage e) {
      return null;
    }
  }
}
