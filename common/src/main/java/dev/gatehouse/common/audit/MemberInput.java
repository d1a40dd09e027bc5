package dev.gatehouse.common.audit;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads what {@link MemberOutput} wrote. To {@link #skip} is to read heads of members only. What is damaged or cut off is a {@link
 * ZipException}, also when it is asked again: GZIPInputStream would take members behind a damaged head for the end.
 */
final class MemberInput extends InputStream {

  private static final int BUFFER = 1 << 16;
  private static final byte[] NOTHING = {};

  private final InputStream in;
  private final Path file;
  private byte[] content = NOTHING;
  private int at;
  private boolean hasEnded;
  private Optional<ZipException> damage = Optional.empty();

  private MemberInput(InputStream in, Path file) {
    this.in = in;
    this.file = file;
  }

  /** Opens the content of an archived file. */
  static InputStream open(Path file) throws IOException {
    InputStream raw = Files.newInputStream(file);
    try {
      return of(raw, file);
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }

  /**
   * Returns the content of an archived file. That of a former version is one member without sizes, which is unzipped from its begin.
   *
   * @param raw the file itself
   */
  static InputStream of(InputStream raw, Path file) throws IOException {
    PushbackInputStream in = new PushbackInputStream(raw, MemberHead.PLAIN);
    byte[] begin = in.readNBytes(MemberHead.PLAIN);
    in.unread(begin);
    return MemberHead.isAtBegin(begin) ? new MemberInput(in, file) : new GZIPInputStream(in, BUFFER);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] to, int from, int length) throws IOException {
    if (at == content.length && length > 0) {
      advance(0);
      if (hasEnded) {
        return -1;
      }
    }
    int read = Math.min(length, content.length - at);
    System.arraycopy(content, at, to, from, read);
    at += read;
    return read;
  }

  @Override
  public long skip(long most) throws IOException {
    long skipped = Math.clamp(most, 0, content.length - at);
    at += (int) skipped;
    if (skipped < most) {
      skipped += advance(most - skipped);
      at = (int) Math.min(most - skipped, content.length);
      skipped += at;
    }
    return skipped;
  }

  /** Passes members that have no more content than that, and unzips the next one; returns how much was passed. */
  private long advance(long most) throws IOException {
    if (damage.isPresent()) {
      throw damage.get();
    }
    try {
      long passed = 0;
      while (!hasEnded) {
        MemberHead head = MemberHead.of(in.readNBytes(MemberHead.LENGTH));
        if (head.content() > 0 && head.content() <= most - passed) {
          in.skipNBytes(head.size());
          passed += head.content();
        } else {
          unzip(head);
          return passed;
        }
      }
      return passed;
    } catch (EOFException e) {
      throw damaged("it is cut off", e);
    } catch (ZipException e) {
      throw damaged(String.valueOf(e.getMessage()), e);
    }
  }

  private void unzip(MemberHead head) throws IOException {
    byte[] member = Arrays.copyOf(head.toBytes(), MemberHead.LENGTH + head.size());
    if (in.readNBytes(member, MemberHead.LENGTH, head.size()) < head.size()) {
      throw new EOFException();
    }
    try (InputStream unzipped = new GZIPInputStream(new ByteArrayInputStream(member), BUFFER)) {
      // One byte more, because the checksum is read behind the last one.
      content = unzipped.readNBytes(head.content() + 1);
    }
    at = 0;
    hasEnded = head.content() == 0;
    if (content.length != head.content() || hasEnded && in.read() >= 0) {
      throw new ZipException("a member has another length than was written, or something follows the end");
    }
  }

  private ZipException damaged(String what, IOException cause) {
    content = NOTHING;
    at = 0;
    ZipException found = new ZipException(file.getFileName() + " is damaged: " + what);
    found.initCause(cause);
    damage = Optional.of(found);
    return found;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
