-- Offsets of groups, for MariaDB and MySQL. Names compare by case, so the collation is binary.
CREATE TABLE `meta_topic_partition_group_offset` (
    `topic`     VARCHAR(240) NOT NULL,
    `partition` VARCHAR(24)  NOT NULL,
    `group_id`  VARCHAR(240) NOT NULL,
    `offset`    BIGINT       NOT NULL,
    `msg_id`    BIGINT       NOT NULL,
    PRIMARY KEY (`topic`, `partition`, `group_id`)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
