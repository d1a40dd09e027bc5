package dev.gatehouse.idp.agent.socket;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** A Unix socket that nobody else ever could connect to: for its owner and root, or for a group too. */
public final class ClosedSocket {

  private static final FileAttribute<Set<PosixFilePermission>> OWNERS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private ClosedSocket() {}

  /** Opens the socket; one that a former agent left behind is replaced. */
  public static ServerSocketChannel open(Path path, Optional<String> group) throws IOException {
    removeFormer(path);
    // Bound in a folder that is closed to others, and moved when its permissions are right: nobody connects before.
    Path folder = Files.createTempDirectory(path.toAbsolutePath().getParent(), ".agent", OWNERS);
    Path fresh = folder.resolve("s");
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(UnixDomainSocketAddress.of(fresh));
      permit(fresh, group);
      Files.move(fresh, path);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      Files.deleteIfExists(fresh);
      throw e;
    } finally {
      Files.deleteIfExists(folder);
    }
  }

  private static void removeFormer(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.connect(UnixDomainSocketAddress.of(path));
    } catch (IOException nobodyListens) {
      if (Files.isRegularFile(path) || Files.isDirectory(path)) {
        throw new IOException("there is something that is no socket", nobodyListens);
      }
      Files.delete(path);
      return;
    }
    throw new IOException("another program listens there");
  }

  private static void permit(Path path, Optional<String> group) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (group.isPresent()) {
      GroupPrincipal principal = path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(group.get());
      view.setGroup(principal);
    }
    view.setPermissions(PosixFilePermissions.fromString(group.isPresent() ? "rw-rw----" : "rw-------"));
  }
}
