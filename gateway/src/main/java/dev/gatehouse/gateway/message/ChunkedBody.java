package dev.gatehouse.gateway.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Parses the chunked framing byte by byte (RFC 9112, section 7.1) and tells how many bytes of data follow. Extensions
 * are parsed strictly, with a limit, and dropped; trailers are parsed as strictly and returned.
 */
public final class ChunkedBody {

  private static final int MAX_SIZE_DIGITS = 15;
  private static final int MAX_EXTENSION = 256;
  private static final int MAX_TRAILER = 8 * 1024;
  private static final int MAX_TRAILERS = 32;
  private static final byte[] NOTHING = new byte[0];

  private enum At {
    SIZE,
    EXTENSION,
    SIZE_LF,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILER_START,
    TRAILER_NAME,
    TRAILER_VALUE,
    TRAILER_LF,
    END_LF,
    DONE
  }

  private At at = At.SIZE;
  private long remaining;
  private int count;
  private byte[] trailer = NOTHING;
  private int trailerBytes;
  private @Nullable Fields trailers;
  private Malformation malformation = Malformation.CHUNK;

  /** The number of next bytes that are data; 0 if framing follows. */
  public long data() {
    return at == At.DATA ? remaining : 0;
  }

  /** Records that bytes of data were consumed. */
  public void took(long bytes) {
    remaining -= bytes;
    if (remaining == 0) {
      at = At.DATA_CR;
    }
  }

  public boolean isDone() {
    return at == At.DONE;
  }

  /** The defect, after {@link #accept} returned false. */
  public Malformation malformation() {
    return malformation;
  }

  /** The trailer fields after the last chunk, once it {@link #isDone}; null if there are none. */
  public @Nullable Fields trailers() {
    return trailers;
  }

  /** Takes one byte of framing; returns false if it is malformed. */
  public boolean accept(byte b) {
    return switch (at) {
      case SIZE -> size(b);
      case EXTENSION -> extension(b);
      case SIZE_LF -> sizeEnd(b);
      case DATA_CR -> expect(b, '\r', At.DATA_LF);
      case DATA_LF -> {
        count = 0;
        yield expect(b, '\n', At.SIZE);
      }
      case TRAILER_START, TRAILER_NAME, TRAILER_VALUE, TRAILER_LF -> trailer(b);
      case END_LF -> expect(b, '\n', At.DONE) && readTrailers();
      case DATA, DONE -> throw new IllegalStateException("no framing is due here");
    };
  }

  private boolean size(byte b) {
    if (Ascii.isHex(b)) {
      remaining = remaining * 16 + Ascii.hexValue(b);
      return ++count <= MAX_SIZE_DIGITS;
    }
    if (count == 0) {
      return false;
    }
    if (b == ';') {
      count = 0;
      at = At.EXTENSION;
      return true;
    }
    return expect(b, '\r', At.SIZE_LF);
  }

  private boolean extension(byte b) {
    if (b == '\r') {
      at = At.SIZE_LF;
      return true;
    }
    return Ascii.isFieldValue(b) && ++count <= MAX_EXTENSION;
  }

  private boolean sizeEnd(byte b) {
    boolean last = remaining == 0;
    if (last && b == '\n') {
      malformation = Malformation.TRAILER;
    }
    return expect(b, '\n', last ? At.TRAILER_START : At.DATA);
  }

  private boolean trailer(byte b) {
    if (trailerBytes == MAX_TRAILER) {
      return false;
    }
    if (at != At.TRAILER_START || b != '\r') {
      store(b);
    }
    return switch (at) {
      case TRAILER_START -> {
        at = b == '\r' ? At.END_LF : At.TRAILER_NAME;
        yield b == '\r' || Ascii.isToken(b);
      }
      case TRAILER_NAME -> {
        at = b == ':' ? At.TRAILER_VALUE : at;
        yield b == ':' || Ascii.isToken(b);
      }
      case TRAILER_VALUE -> {
        at = b == '\r' ? At.TRAILER_LF : at;
        yield b == '\r' || Ascii.isFieldValue(b);
      }
      case TRAILER_LF -> expect(b, '\n', At.TRAILER_START);
      case SIZE, EXTENSION, SIZE_LF, DATA, DATA_CR, DATA_LF, END_LF, DONE -> throw new IllegalStateException();
    };
  }

  private void store(byte b) {
    if (trailerBytes == trailer.length) {
      trailer = Arrays.copyOf(trailer, Math.max(256, trailerBytes * 2));
    }
    trailer[trailerBytes++] = b;
  }

  private boolean readTrailers() {
    if (trailerBytes == 0) {
      return true;
    }
    byte[] section = Arrays.copyOf(trailer, trailerBytes + 2);
    section[trailerBytes] = '\r';
    section[trailerBytes + 1] = '\n';
    try {
      trailers = FieldParser.parse(section, 0, section.length, MAX_TRAILERS);
      return true;
    } catch (MalformedMessage e) {
      return false;
    }
  }

  private boolean expect(byte b, char wanted, At then) {
    if (b != wanted) {
      return false;
    }
    at = then;
    return true;
  }
}
