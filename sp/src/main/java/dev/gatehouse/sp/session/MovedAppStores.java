package dev.gatehouse.sp.session;

import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.StoredKind;
import java.util.List;

/** What outlives a move of the installation to other stores, of the side of apps. */
public final class MovedAppStores {

  private MovedAppStores() {}

  /** Returns what takes rights away, or tells of it. */
  public static List<StoredKind> ends() {
    return List.of(
        new StoredKind.Sessions<>("sp-logout-marks", new LogoutMarks.Codec(), Expired.FORGOTTEN),
        new StoredKind.Work<>("sp-logout-notices", new JsonCodec<>(LogoutNotice.class)));
  }

  /** Returns what gives rights. */
  public static List<StoredKind> grants() {
    return List.of(
        new StoredKind.Sessions<>("app-password", new SessionPasswords.Codec(), Expired.FORGOTTEN),
        new StoredKind.Sessions<>("app", new AppSessionCodec(), Expired.FORGOTTEN),
        new StoredKind.Sessions<>("app-alias", new AppAlias.Codec(), Expired.FORGOTTEN));
  }
}
