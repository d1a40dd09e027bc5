package dev.gatehouse.common.revision;

import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.snapshot.LocalSnapshot;
import dev.gatehouse.common.snapshot.LocalSnapshot.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The copy of the revision in use on the own disk, for a start while the database is away. */
public final class LocalRevision {

  /** None is kept: the database is on the own disk. */
  public static final LocalRevision NONE = new LocalRevision(Optional.empty(), false);

  /** A revision that was kept. */
  record Held(long number, FileTree tree) {}

  private final Optional<LocalSnapshot> snapshot;
  private final boolean isAway;

  private LocalRevision(Optional<LocalSnapshot> snapshot, boolean isAway) {
    this.snapshot = snapshot;
    this.isAway = isAway;
  }

  /** @param isAway whether the node starts with the copy */
  public static LocalRevision in(LocalSnapshot snapshot, boolean isAway) {
    return new LocalRevision(Optional.of(snapshot), isAway);
  }

  /** Returns the revision with which the node starts; empty if the database says it. */
  Optional<Held> held() {
    return isAway ? snapshot.flatMap(local -> local.read(Part.REVISION)).map(LocalRevision::held) : Optional.empty();
  }

  void keep(long number, FileTree tree) {
    snapshot.ifPresent(local -> local.keep(Part.REVISION, number, bytes(tree)));
  }

  static byte[] bytes(FileTree tree) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(tree.files().size());
      for (Map.Entry<String, FileTree.File> file : tree.files().entrySet()) {
        out.writeUTF(file.getKey());
        out.writeBoolean(file.getValue().isSecret());
        out.writeInt(file.getValue().content().length);
        out.write(file.getValue().content());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static Held held(LocalSnapshot.Kept kept) {
    SortedMap<String, FileTree.File> files = new TreeMap<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(kept.content()))) {
      for (int left = in.readInt(); left > 0; left--) {
        String path = in.readUTF();
        boolean isSecret = in.readBoolean();
        files.put(path, new FileTree.File(in.readNBytes(in.readInt()), isSecret));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Held(kept.version(), new FileTree(files));
  }
}
