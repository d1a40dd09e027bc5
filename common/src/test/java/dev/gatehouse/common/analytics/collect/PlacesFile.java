package dev.gatehouse.common.analytics.collect;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes small files in MaxMind's format 2.0: each entry is for the IPv4 addresses that begin with one byte. */
final class PlacesFile {

  private static final int EMPTY = -1;

  private final List<int[]> nodes = new ArrayList<>(List.of(new int[] {EMPTY, EMPTY}));
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();

  /** Adds a city. */
  PlacesFile city(int firstByte, String name, String country, double latitude, double longitude) {
    int offset = data.size();
    data.writeBytes(
        map(
            Map.of(
                "city", map(Map.of("names", map(Map.of("en", text(name))))),
                "country", map(Map.of("iso_code", text(country))),
                "location",
                map(Map.of("latitude", number(latitude), "longitude", number(longitude), "accuracy_radius", small(5, 20))))));
    int node = 0;
    for (int bit = 7; bit > 0; bit--) {
      int side = firstByte >> bit & 1;
      if (nodes.get(node)[side] == EMPTY) {
        nodes.add(new int[] {EMPTY, EMPTY});
        nodes.get(node)[side] = nodes.size() - 1;
      }
      node = nodes.get(node)[side];
    }
    // Marked until the number of nodes is known.
    nodes.get(node)[firstByte & 1] = -2 - offset;
    return this;
  }

  /** Replaces the file by renaming, as its updater does. */
  void write(Path file) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int[] node : nodes) {
      for (int record : node) {
        int value = record == EMPTY ? nodes.size() : record < EMPTY ? nodes.size() + 16 + (-2 - record) : record;
        all.writeBytes(new byte[] {(byte) (value >> 16), (byte) (value >> 8), (byte) value});
      }
    }
    all.writeBytes(new byte[16]);
    all.writeBytes(data.toByteArray());
    all.writeBytes(new byte[] {(byte) 0xab, (byte) 0xcd, (byte) 0xef});
    all.writeBytes("MaxMind.com".getBytes(StandardCharsets.US_ASCII));
    all.writeBytes(
        map(
            Map.of(
                "binary_format_major_version", small(5, 2), "binary_format_minor_version", small(5, 0), "build_epoch", small(9, 1),
                "database_type", text("Test-City"), "description", map(Map.of("en", text("Test"))), "ip_version", small(5, 4),
                "languages", new byte[] {1, 4, 'B', 'e', 'n'}, "node_count", small(6, nodes.size()), "record_size", small(5, 24))));
    Path next = file.resolveSibling("next");
    Files.write(next, all.toByteArray());
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] map(Map<String, byte[]> entries) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(7 << 5 | entries.size());
    entries.forEach(
        (key, value) -> {
          out.writeBytes(text(key));
          out.writeBytes(value);
        });
    return out.toByteArray();
  }

  private static byte[] text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(utf8.length + 1).put((byte) (2 << 5 | utf8.length)).put(utf8).array();
  }

  private static byte[] number(double number) {
    return ByteBuffer.allocate(9).put((byte) (3 << 5 | 8)).putDouble(number).array();
  }

  /** Returns an unsigned number of one byte; types above 7 have a byte of their own. */
  private static byte[] small(int type, int number) {
    return type > 7 ? new byte[] {1, (byte) (type - 7), (byte) number} : new byte[] {(byte) (type << 5 | 1), (byte) number};
  }
}
