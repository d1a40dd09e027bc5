package dev.gatehouse.gateway.federate;

import dev.gatehouse.gateway.federate.NamePairLine.Content;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the file of pairs in batches, from any offset at which a line begins. UTF-8. */
final class PairsFile implements AutoCloseable {

  /** Maximal bytes of a line; longer ones are rejected without being buffered. */
  static final int LONGEST = 4096;

  /** Maximal characters of a name; no supported directory has longer ones. */
  private static final int LONGEST_NAME = 256;

  private final InputStream in;
  private long position;
  private long number;

  /**
   * @param position a byte offset at which a line begins
   * @param number of lines before it
   */
  PairsFile(Path file, long position, long number) throws IOException {
    this.in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    this.position = position;
    this.number = number;
    in.skipNBytes(position);
  }

  /** The next lines; fewer than {@code most} only at the end of the file. */
  List<NamePairLine> next(int most) throws IOException {
    List<NamePairLine> lines = new ArrayList<>();
    while (lines.size() < most) {
      Optional<NamePairLine> line = next();
      if (line.isEmpty()) {
        break;
      }
      lines.add(line.get());
    }
    return lines;
  }

  private Optional<NamePairLine> next() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    long length = 0;
    int c = in.read();
    if (c < 0) {
      return Optional.empty();
    }
    while (c >= 0 && c != '\n') {
      length++;
      if (bytes.size() <= LONGEST) {
        bytes.write(c);
      }
      c = in.read();
    }
    position += length + (c == '\n' ? 1 : 0);
    number++;
    return Optional.of(line(bytes.toByteArray()));
  }

  private NamePairLine line(byte[] bytes) {
    if (bytes.length > LONGEST) {
      String start = new String(bytes, 0, 60, StandardCharsets.UTF_8);
      return new NamePairLine(number, position, start + "…", new Content.Bad("longer than " + LONGEST + " bytes"));
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      String shown = new String(bytes, StandardCharsets.UTF_8);
      return new NamePairLine(number, position, shown, new Content.Bad("not UTF-8"));
    }
    if (number == 1 && text.startsWith("\ufeff")) {
      text = text.substring(1);
    }
    if (text.endsWith("\r")) {
      text = text.substring(0, text.length() - 1);
    }
    return new NamePairLine(number, position, text, content(text));
  }

  private Content content(String text) {
    if (text.isBlank() || (number == 1 && text.toLowerCase(Locale.ROOT).startsWith("local,"))) {
      return new Content.Blank();
    }
    Optional<List<String>> read = CsvLine.read(text);
    if (read.isEmpty()) {
      return new Content.Bad("quotes in disorder");
    }
    List<String> fields = read.get().stream().map(String::strip).toList();
    if (fields.size() < 2 || fields.size() > 3) {
      return new Content.Bad("not two or three columns");
    }
    if (fields.stream().anyMatch(field -> field.codePoints().anyMatch(Character::isISOControl))) {
      return new Content.Bad("a control character in a name");
    }
    if (fields.stream().anyMatch(field -> field.length() > LONGEST_NAME)) {
      return new Content.Bad("a name of more than " + LONGEST_NAME + " characters");
    }
    if (fields.subList(0, 2).stream().anyMatch(String::isEmpty)) {
      return new Content.Bad("an empty name");
    }
    Optional<String> third = fields.size() == 3 ? Optional.of(fields.get(2)).filter(f -> !f.isEmpty()) : Optional.empty();
    return new Content.Pair(fields.get(0), fields.get(1), third);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
