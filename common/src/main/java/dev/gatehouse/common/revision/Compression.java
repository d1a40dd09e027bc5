package dev.gatehouse.common.revision;

import dev.gatehouse.common.realm.yaml.NamedFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Compression of files before they are sealed (RFC 1950). */
final class Compression {

  private Compression() {}

  static byte[] compress(byte[] content) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out = new DeflaterOutputStream(compressed)) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }

  static byte[] expand(byte[] compressed) {
    try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(compressed))) {
      return in.readNBytes(NamedFiles.LARGEST);
    } catch (IOException e) {
      throw new UncheckedIOException("A stored file of the configuration cannot be expanded", e);
    }
  }
}
