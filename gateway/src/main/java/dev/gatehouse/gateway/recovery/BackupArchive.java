package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.audit.AuditFiles;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.db.H2Database;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.installation.SyncedPositions;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A backup as one ZIP file, readable only by its owner: the database, the keys, fetched metadata, the installation's
 * record, the length of the audit log, and last a list of all files with their SHA-256. RocksDB is not included:
 * sessions, tokens, codes and marks all end with a restore, so including them would only make a backup worth stealing.
 *
 * <p>The database is a snapshot of one moment; the keys are read after it. A sealing key is never replaced, and other
 * keys are added before they are used, so every secret in the snapshot can be opened with the keys of the backup.
 */
public final class BackupArchive {

  static final String DATABASE = "h2/gatehouse.mv.db";
  static final String RECORD = "installation";
  private static final String SUMS = "SHA-256";

  private final StateFolders folders;

  public BackupArchive(StateFolders folders) {
    this.folders = folders;
  }

  /** Writes the archive; {@code to} appears completely or not at all. */
  public void write(H2Database database, InstallationRecord record, Instant now, Path to) throws IOException {
    Path folder = Folders.parent(to);
    PrivateFiles.createFolder(folder);
    Path snapshot = Files.createTempFile(folder, ".h2", ".zip");
    Path part = part(folder);
    try {
      database.backup(snapshot);
      try (OutputStream out = Files.newOutputStream(part);
          ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
        write(zip, snapshot, record, now);
      }
      publish(part, to);
    } finally {
      Files.deleteIfExists(snapshot);
      Files.deleteIfExists(part);
    }
  }

  /**
   * Copies an archive, possibly to another file system; {@code to} appears completely or not at all, and is forced to
   * disk.
   */
  public static void copy(Path archive, Path to) throws IOException {
    Path part = part(Folders.parent(to));
    try {
      Files.copy(archive, part, StandardCopyOption.REPLACE_EXISTING);
      publish(part, to);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static Path part(Path folder) throws IOException {
    return Files.createTempFile(
        folder, ".backup", ".zip", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  private static void publish(Path part, Path to) throws IOException {
    PrivateFiles.force(part);
    Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
    PrivateFiles.force(Folders.parent(to));
  }

  private void write(ZipOutputStream zip, Path snapshot, InstallationRecord record, Instant now) throws IOException {
    Map<String, String> sums = new LinkedHashMap<>();
    try (InputStream in = Files.newInputStream(snapshot);
        ZipInputStream inner = new ZipInputStream(in)) {
      for (ZipEntry entry = inner.getNextEntry(); entry != null; entry = inner.getNextEntry()) {
        if (entry.getName().endsWith("gatehouse.mv.db")) {
          add(zip, sums, DATABASE, inner);
        }
      }
    }
    if (!sums.containsKey(DATABASE)) {
      throw new IOException("H2 wrote no database into its snapshot");
    }
    addAll(zip, sums, folders.of(StoreName.KEYS), "keys/");
    addAll(zip, sums, folders.data().resolve("metadata"), "metadata/");
    add(zip, sums, RECORD, record.format());
    add(zip, sums, "about", "created=" + now + "\naudit-bytes=" + auditBytes() + "\n");
    StringBuilder list = new StringBuilder();
    sums.forEach((name, sum) -> list.append(sum).append("  ").append(name).append('\n'));
    add(zip, sums, SUMS, list.toString());
  }

  private long auditBytes() throws IOException {
    Path log = folders.of(StoreName.AUDIT).resolve("audit.jsonl");
    return Files.exists(log) ? Files.size(log) : 0;
  }

  private static void addAll(ZipOutputStream zip, Map<String, String> sums, Path folder, String prefix) throws IOException {
    for (Path file : Folders.files(folder)) {
      String name = file.getFileName().toString();
      boolean isTransient = name.startsWith(".") || name.equals(SyncedPositions.NAME) || name.equals(AuditFiles.HEAD);
      if (!isTransient) {
        try (InputStream in = Files.newInputStream(file)) {
          add(zip, sums, prefix + folder.relativize(file), in);
        }
      }
    }
  }

  private static void add(ZipOutputStream zip, Map<String, String> sums, String name, String text) throws IOException {
    add(zip, sums, name, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void add(ZipOutputStream zip, Map<String, String> sums, String name, InputStream content)
      throws IOException {
    DigestInputStream digested = new DigestInputStream(content, Sha256.instance());
    zip.putNextEntry(new ZipEntry(name));
    digested.transferTo(zip);
    zip.closeEntry();
    sums.put(name, HexFormat.of().formatHex(digested.getMessageDigest().digest()));
  }

  /**
   * Unpacks a backup, and verifies every file against its list.
   *
   * @return its record
   * @throws RecoveryFailed if it is damaged or not a backup
   */
  static InstallationRecord unpack(Path archive, Path to) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile(), StandardCharsets.UTF_8)) {
      ZipEntry list = zip.getEntry(SUMS);
      if (list == null || zip.getEntry(DATABASE) == null || zip.getEntry(RECORD) == null) {
        throw new RecoveryFailed(archive + " is not a backup of Gatehouse, or is incomplete; nothing was changed.");
      }
      for (String line : read(zip, list).lines().toList()) {
        String[] parts = line.split(" {2}", 2);
        ZipEntry entry = parts.length == 2 ? zip.getEntry(parts[1]) : null;
        if (entry == null || !unpack(zip, entry, to).equals(parts[0])) {
          throw new RecoveryFailed(archive + " is damaged: " + line + "; nothing was changed.");
        }
      }
      return InstallationRecord.parse(Files.readString(to.resolve(RECORD)))
          .orElseThrow(() -> new RecoveryFailed(archive + " has no record of an installation; nothing was changed."));
    } catch (ZipException e) {
      throw new RecoveryFailed(archive + " is damaged (" + e.getMessage() + "); nothing was changed.", e);
    }
  }

  private static String unpack(ZipFile zip, ZipEntry entry, Path to) throws IOException {
    Path file = to.resolve(entry.getName()).normalize();
    if (!file.startsWith(to.normalize())) {
      throw new RecoveryFailed("The backup names a file outside of itself: " + entry.getName() + "; nothing was changed.");
    }
    PrivateFiles.createFolder(Folders.parent(file));
    Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (DigestInputStream in = new DigestInputStream(zip.getInputStream(entry), Sha256.instance());
        OutputStream out = Files.newOutputStream(file)) {
      in.transferTo(out);
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    }
  }

  private static String read(ZipFile zip, ZipEntry entry) throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
