package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.INFLATED_TOO_LARGE;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.MESSAGE_TOO_LARGE;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.NOT_BASE64;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.NOT_DEFLATE;

import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Base64 (RFC 4648, section 4) and raw DEFLATE (RFC 1951) around messages, both bounded (SAML Bindings 3.4.4.1, 3.5.4).
 */
public final class Transport {

  /** The largest accepted message, decoded and inflated. Real ones are below 20 KB. */
  public static final int MAX_BYTES = 256 << 10;

  private static final int MAX_CHARACTERS = MAX_BYTES / 3 * 4 + MAX_BYTES / 16;

  private Transport() {}

  /** Decodes a message of the POST binding: base64, with line breaks allowed. */
  static byte[] fromPost(String value) {
    checkLength(value);
    boolean broken = value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0;
    return XmlValues.base64(broken ? value.replace("\r", "").replace("\n", "") : value)
        .orElseThrow(() -> new MessageRefused(NOT_BASE64, "the message is not base64"));
  }

  /** Decodes a message of the Redirect binding: base64 without line breaks, then DEFLATE. */
  static byte[] fromRedirect(String value) {
    checkLength(value);
    return inflate(XmlValues.base64(value).orElseThrow(() -> new MessageRefused(NOT_BASE64, "the message is not base64")));
  }

  private static void checkLength(String value) {
    if (value.length() > MAX_CHARACTERS) {
      throw new MessageRefused(MESSAGE_TOO_LARGE, value.length() + " characters of base64");
    }
  }

  /** Inflates up to {@link #MAX_BYTES}, so that a bomb costs no more than a real message. */
  private static byte[] inflate(byte[] deflated) {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(deflated);
      ByteArrayOutputStream out = new ByteArrayOutputStream(Math.min(MAX_BYTES, deflated.length * 4 + 64));
      byte[] buffer = new byte[4096];
      while (!inflater.finished()) {
        int length = inflater.inflate(buffer);
        if (length == 0 && !inflater.finished()) {
          throw new MessageRefused(NOT_DEFLATE, "the DEFLATE stream has no end");
        }
        out.write(buffer, 0, length);
        if (out.size() > MAX_BYTES) {
          throw new MessageRefused(INFLATED_TOO_LARGE, "more than " + MAX_BYTES + " bytes inflated");
        }
      }
      if (inflater.getRemaining() > 0) {
        throw new MessageRefused(NOT_DEFLATE, "bytes after the DEFLATE stream");
      }
      return out.toByteArray();
    } catch (DataFormatException e) {
      throw new MessageRefused(NOT_DEFLATE, "not a DEFLATE stream");
    } finally {
      inflater.end();
    }
  }

  static byte[] deflate(byte[] message) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(message);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(message.length);
      byte[] buffer = new byte[4096];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }
}
